const SIGNED_URL = /https?:\/\/[^\s"'<>]*[?&][^\s"'<>]*(?:signature|credential|token|sig=)[^\s"'<>]*/gi;

/** Takes out of a text what must not be read by others: the API key, and URLs that open a file for whoever has them. */
export function scrubber(key: string): (words: string) => string {
  // An id that holds the key has it in this form in paths.
  const inPaths = encodeURIComponent(key);
  return (words) =>
    words.replaceAll(key, "(API key)").replaceAll(inPaths, "(API key)").replace(SIGNED_URL, "(signed URL)");
}

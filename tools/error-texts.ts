import path from "node:path";
import ts from "typescript";

const PROVIDER = path.join(path.dirname(import.meta.dirname), "provider");
/** What stands in a text for the parts that are known only when it happens. */
const OPEN = "…";

/**
 * Every text that the package can fail with, read from its source: what is given to a `new …Error(…)` and to `super(…)`
 * in an error class, the `reason` of a check failure, and the `advice` that an error of the API ends with. Constants,
 * conditions, parameters and calls of the package's own functions are followed; what cannot be known stands as `…`.
 */
export function errorTexts(): string[] {
  const program = programOf(PROVIDER);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => !path.relative(PROVIDER, fileName).startsWith(".."));
  const calls = new Map<ts.Symbol, ts.CallExpression[]>();
  const messages: ts.Expression[] = [];
  for (const file of files) {
    everyNode(file, (node) => {
      messages.push(...messagesOf(node));
      const callee = ts.isCallExpression(node) ? symbolOf(node.expression) : undefined;
      if (callee && ts.isCallExpression(node)) calls.set(callee, [...(calls.get(callee) ?? []), node]);
    });
  }
  return [...new Set(messages.flatMap((message) => textsOf(message, [])))].filter(isMessage).sort();

  /** The texts that an expression can have. */
  function textsOf(node: ts.Expression, outer: readonly ts.Node[]): string[] {
    if (outer.includes(node)) return [OPEN];
    const inner = (one: ts.Expression): string[] => textsOf(one, [...outer, node]);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return ofTemplate(node, inner);
    if (ts.isParenthesizedExpression(node)) return inner(node.expression);
    if (ts.isConditionalExpression(node)) return [...inner(node.whenTrue), ...inner(node.whenFalse)];
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(inner);
    if (ts.isBinaryExpression(node)) return ofBinary(node, inner);
    const sources = ts.isIdentifier(node) ? sourcesOf(node) : ts.isCallExpression(node) ? returnedBy(node) : [];
    return sources.length > 0 ? sources.flatMap(inner) : [OPEN];
  }

  function ofTemplate(node: ts.TemplateExpression, inner: (one: ts.Expression) => string[]): string[] {
    let texts = [node.head.text];
    for (const { expression, literal } of node.templateSpans) {
      const parts = ts.isIdentifier(expression) ? inner(expression) : [];
      // Two or three sentences are told apart; a name, or one of many, stands open.
      const isTold = parts.length > 0 && parts.length <= 3 && parts.every(isSentence);
      texts = texts.flatMap((start) => (isTold ? parts : [OPEN]).map((part) => start + part + literal.text));
    }
    return texts.map((text) => text.replace(/…{2,}/g, OPEN));
  }

  function ofBinary(node: ts.BinaryExpression, inner: (one: ts.Expression) => string[]): string[] {
    const [left, right] = [inner(node.left), inner(node.right)];
    if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [...left, ...right];
    return left.flatMap((start) => right.map((end) => start + end));
  }

  function symbolOf(name: ts.Node): ts.Symbol | undefined {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** Where the value of a name comes from: its constant, or what all callers give for the parameter. */
  function sourcesOf(name: ts.Identifier): ts.Expression[] {
    const isShort = ts.isShorthandPropertyAssignment(name.parent);
    const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(name.parent) : checker.getSymbolAtLocation(name);
    const declaration = symbol?.valueDeclaration;
    if (declaration && ts.isVariableDeclaration(declaration)) {
      return declaration.initializer ? [declaration.initializer] : [];
    }
    if (!declaration || !ts.isParameter(declaration) || !ts.isFunctionDeclaration(declaration.parent)) return [];
    const index = declaration.parent.parameters.indexOf(declaration);
    const callee = declaration.parent.name && symbolOf(declaration.parent.name);
    return (callee ? (calls.get(callee) ?? []) : []).flatMap((call) => call.arguments[index] ?? []);
  }

  function returnedBy({ expression, arguments: given }: ts.CallExpression): ts.Expression[] {
    const declaration = symbolOf(expression)?.valueDeclaration;
    // A function that cannot be followed puts what it is given into its text.
    if (!declaration || !ts.isFunctionDeclaration(declaration) || !declaration.body) return [...given];
    const returned: ts.Expression[] = [];
    everyNode(declaration.body, (node) => {
      if (ts.isReturnStatement(node) && node.expression) returned.push(node.expression);
    });
    return returned;
  }
}

/** What a text says of the case, without the advice behind it: by this a user finds it again. */
export function keyOf(text: string): string {
  return text.replace(/^…[.;:] /, "").split(/[.;](?: |$)/)[0] ?? text;
}

function programOf(folder: string): ts.Program {
  const { config } = ts.readConfigFile(path.join(folder, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  return ts.createProgram(fileNames, options);
}

/** The expressions of a node whose texts a user may read in an error. */
function messagesOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node) && node.expression.getText().endsWith("Error")) {
    return node.arguments ?? [];
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) {
    const isError = ts.findAncestor(node, ts.isClassDeclaration)?.name?.text.endsWith("Error");
    return isError ? node.arguments : [];
  }
  if (ts.isShorthandPropertyAssignment(node)) return ["reason", "advice"].includes(node.name.text) ? [node.name] : [];
  const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isParameter(node);
  const isText = isNamed && ["reason", "advice"].includes(node.name.getText());
  return isText && node.initializer ? [node.initializer] : [];
}

/** What begins with a small letter is a part of another text. */
function isMessage(text: string): boolean {
  return isSentence(text) && /^[A-Z…]/.test(text);
}

function isSentence(text: string): boolean {
  return /[a-z]{2,} [a-z…]/i.test(text);
}

function everyNode(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => everyNode(child, see));
}

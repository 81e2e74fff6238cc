import { IntlMessageFormat } from 'intl-messageformat';
import { type Choices, type CompiledMessage, type Part, packMessage } from './compiled-message';

type Ast = ReturnType<IntlMessageFormat['getAst']>;
type Node = Ast[number];

/** Values of the parser's `TYPE`, a const enum that can't be imported here. */
const LITERAL = 0;
const ARGUMENT = 1;
const NUMBER = 2;
const DATE = 3;
const TIME = 4;
const SELECT = 5;
const PLURAL = 6;
const POUND = 7;

/**
 * Compiles the ICU messages in a tree; plain texts stay unchanged.
 * @throws on invalid ICU, and on syntax that `formatMessage` does not support
 */
export function compileMessages(
  messages: Readonly<Record<string, unknown>>,
  language: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => {
      if (typeof value === 'string') return [key, compileText(value, language)];
      return [key, compileMessages(value as Record<string, unknown>, language)];
    }),
  );
}

/** Text without these characters means itself. */
const ICU_SYNTAX = /[{}']/;

function compileText(text: string, language: string): string {
  if (!ICU_SYNTAX.test(text)) return text;
  const compiled = compile(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst());
  const isPlain = compiled.every((part) => typeof part === 'string');
  return isPlain ? compiled.join('') : packMessage(compiled);
}

const compile = (ast: Ast): CompiledMessage => ast.map(compileNode);

function compileNode(node: Node): Part {
  const { formats } = IntlMessageFormat;
  switch (Number(node.type)) {
    case LITERAL:
      return 'value' in node ? node.value : '';
    case ARGUMENT:
      return ['argument', nameOf(node)];
    case NUMBER:
      return ['number', nameOf(node), optionsOf(node, formats.number) as Intl.NumberFormatOptions];
    case DATE:
      return ['date', nameOf(node), optionsOf(node, formats.date) as Intl.DateTimeFormatOptions];
    case TIME:
      return ['date', nameOf(node), optionsOf(node, formats.time) as Intl.DateTimeFormatOptions];
    case SELECT:
      return ['select', nameOf(node), choicesOf(node)];
    case PLURAL:
      return 'offset' in node
        ? ['plural', nameOf(node), node.offset, node.pluralType ?? 'cardinal', choicesOf(node)]
        : '';
    case POUND:
      return ['#'];
    default:
      throw new Error(`unsupported ICU node: ${JSON.stringify(node)}`);
  }
}

const nameOf = (node: Node): string => ('value' in node ? node.value : '');

const choicesOf = (node: Node): Choices =>
  'options' in node
    ? Object.fromEntries(Object.entries(node.options).map(([key, option]) => [key, compile(option.value)]))
    : {};

/** `{n, number, percent}` names a format, `{n, number, ::percent}` is a skeleton. */
function optionsOf(node: Node, named: Readonly<Record<string, object>>): object {
  const style = 'style' in node ? node.style : null;
  if (style && typeof style === 'object') return style.parsedOptions;
  return (style && named[style]) || named.medium || {};
}

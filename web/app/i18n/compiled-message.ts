/** An ICU message parsed on the server, which saves the browser the parser: the larger half of an ICU library. */
export type CompiledMessage = readonly Part[];

export type Part =
  | string
  | readonly ['argument', string]
  | readonly ['number', string, Intl.NumberFormatOptions]
  | readonly ['date', string, Intl.DateTimeFormatOptions]
  | readonly ['select', string, Choices]
  | readonly ['plural', string, number, Intl.PluralRuleType, Choices]
  /** The number of the enclosing plural. */
  | readonly ['#'];

export type Choices = Readonly<Record<string, CompiledMessage>>;

export type MessageValues = Readonly<Record<string, unknown>>;

/** Prefix of compiled messages; plain texts never begin with a control character. */
const PREFIX = '\u0002';

export const packMessage = (message: CompiledMessage): string => PREFIX + JSON.stringify(message);

/** Null for plain texts. */
export const unpackMessage = (text: string): CompiledMessage | null =>
  text.startsWith(PREFIX) ? (JSON.parse(text.slice(PREFIX.length)) as CompiledMessage) : null;

/** @param language BCP 47 */
export function formatMessage(message: CompiledMessage, values: MessageValues, language: string, counted = 0): string {
  const format = (part: Part): string => {
    if (typeof part === 'string') return part;
    switch (part[0]) {
      case 'argument':
        return String(values[part[1]] ?? '');
      case 'number':
        return new Intl.NumberFormat(language, part[2]).format(Number(values[part[1]]));
      case 'date':
        return new Intl.DateTimeFormat(language, part[2]).format(values[part[1]] as Date | number);
      case 'select':
        return formatMessage(chosen(part[2], String(values[part[1]])), values, language, counted);
      case 'plural': {
        const [, name, offset, type, choices] = part;
        const value = Number(values[name]);
        const rule = new Intl.PluralRules(language, { type }).select(value - offset);
        return formatMessage(choices[`=${value}`] ?? chosen(choices, rule), values, language, value - offset);
      }
      default:
        return new Intl.NumberFormat(language).format(counted);
    }
  };
  return message.map(format).join('');
}

const chosen = (choices: Choices, key: string): CompiledMessage => choices[key] ?? choices.other ?? [];

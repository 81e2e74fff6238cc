import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Placeholders of a message: `count: plural`, `name: argument`, `b: tag`. */
type Placeholders = Map<string, string>;

/** Problems of a translation; empty if correct. */
export function problemsOf(original: string, translation: string, languageTag: string): string[] {
  let elements: MessageFormatElement[];
  try {
    elements = parse(translation);
  } catch (error) {
    return [`can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  if (translation.trim() === '') return ['is empty'];
  const problems = [...missingForms(elements, languageTag)];
  const [wanted, given] = [placeholdersOf(parse(original)), placeholdersOf(elements)];
  for (const [name, kind] of wanted) if (given.get(name) !== kind) problems.push(`lacks {${name}} (${kind})`);
  for (const name of given.keys()) if (!wanted.has(name)) problems.push(`has {${name}}, which has no value`);
  return problems;
}

/** Characters that languages other than English need for correct line breaks and shapes. */
const TYPOGRAPHY: readonly { readonly found: RegExp; readonly problem: string; readonly language?: string }[] = [
  { found: /\p{L}'\p{L}/u, problem: 'has a typewriter apostrophe' },
  { found: /"/, problem: 'has typewriter quotes' },
  {
    found: /(?:\d|number\}) (?:[kM]B|[kM]o|[КМ]Б|px|[sс])(?!\p{L})/u,
    problem: 'may break between a number and its unit',
  },
  { found: /plug-in|प्लग-इन|\be-(?:mail|posta)/iu, problem: 'may break after the hyphen of plug-in or e-mail' },
  { found: /\S [:;?!»%]/, problem: 'may break before punctuation', language: 'fr' },
  {
    // 'l’8 novembre', 'dall’11 novembre': 'il giorno {date}' suits all days.
    found: /\b(?:il|d?al|del|nel|sul) \{\w+\}/iu,
    problem: 'has an article that some dates elide',
    language: 'it',
  },
  { found: / —/, problem: 'may begin a line with a dash', language: 'ru' },
  { found: /\d \d{3}(?!\d)/, problem: 'may break within a number' },
];

/**
 * Problems of style; empty if there are none.
 * @param avoided words of the language with what it says instead
 */
export function styleProblemsOf(
  translation: string,
  languageTag: string,
  avoided: Readonly<Record<string, string>> = {},
): string[] {
  const marks = TYPOGRAPHY.filter(
    ({ found, language = languageTag }) => language === languageTag && found.test(translation),
  ).map(({ problem }) => problem);
  const text = translation.replaceAll(/<\/?\w+>/g, ' ').toLocaleLowerCase(languageTag);
  const words = Object.entries(avoided)
    .filter(([word]) => text.includes(word.toLocaleLowerCase(languageTag)))
    .map(([word, instead]) => `says “${word}” instead of “${instead}”`);
  return [...marks, ...words];
}

/** Messages without words are the same in every language: 'JPEG', '{width} × {height}'. */
export const hasWords = (message: string): boolean => {
  const words = (elements: readonly MessageFormatElement[]): boolean =>
    elements.some((element) => {
      if (element.type === TYPE.literal) return /\p{L}{3,}/u.test(element.value);
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        return Object.values(element.options).some(({ value }) => words(value));
      }
      return element.type === TYPE.tag && words(element.children);
    });
  return words(parse(message));
};

function placeholdersOf(
  elements: readonly MessageFormatElement[],
  placeholders: Placeholders = new Map(),
): Placeholders {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    placeholders.set(element.value, placeholders.get(element.value) ?? KINDS[element.type] ?? 'argument');
    if (element.type === TYPE.tag) placeholdersOf(element.children, placeholders);
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      for (const { value } of Object.values(element.options)) placeholdersOf(value, placeholders);
    }
  }
  return placeholders;
}

const KINDS: Readonly<Partial<Record<TYPE, string>>> = {
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.plural]: 'plural',
  [TYPE.select]: 'select',
  [TYPE.tag]: 'tag',
};

/** Plurals need every form of their language, besides exact ones (`=0`). */
function* missingForms(elements: readonly MessageFormatElement[], languageTag: string): Generator<string> {
  for (const element of elements) {
    if (element.type === TYPE.tag) yield* missingForms(element.children, languageTag);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    if (element.type === TYPE.plural) {
      const rules = new Intl.PluralRules(languageTag, { type: element.pluralType });
      for (const form of rules.resolvedOptions().pluralCategories) {
        if (!(form in element.options)) yield `{${element.value}} lacks the form '${form}'`;
      }
    }
    for (const { value } of Object.values(element.options)) yield* missingForms(value, languageTag);
  }
}

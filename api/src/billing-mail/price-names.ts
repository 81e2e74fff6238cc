import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  dateFormat,
  directionOf,
  INTERVAL_NAMES,
  intervalNameOf,
  intervalOf,
  type Locale,
  languageTagOf,
  PLANS,
  priceOf,
} from '@clearframe/contract';
import { IntlMessageFormat } from 'intl-messageformat';
import { z } from 'zod';

const Tiers = z.object({
  plans: z.record(z.enum(PLANS), z.object({ title: z.string() })),
  intervals: z.record(z.enum(INTERVAL_NAMES), z.string()),
  packs: z.object({ name: z.string() }),
});
type Tiers = z.infer<typeof Tiers>;

/** The same depth in `src` and `dist`. */
const FOLDER = new URL('../../../locales/', import.meta.url);
const read = new Map<Locale, Tiers>();

function tiersIn(language: Locale): Tiers {
  const file = fileURLToPath(new URL(`${language}/tiers.json`, FOLDER));
  const tiers = read.get(language) ?? Tiers.parse(JSON.parse(readFileSync(file, 'utf8')));
  read.set(language, tiers);
  return tiers;
}

/** Makes an Arabic name that starts with 'Clearframe' run from right to left. */
const RIGHT_TO_LEFT_MARK = '\u200f';

export function nameOfPrice(priceId: string, language: Locale): string {
  return directionOf(language) === 'rtl' ? RIGHT_TO_LEFT_MARK + nameIn(priceId, language) : nameIn(priceId, language);
}

function nameIn(priceId: string, language: Locale): string {
  const price = priceOf(priceId);
  const { plans, intervals, packs } = tiersIn(language);
  if (price?.kind === 'plan') {
    const interval = intervalNameOf(intervalOf(price.period));
    return `Clearframe ${plans[price.plan].title}${interval ? ` (${intervals[interval]})` : ''}`;
  }
  if (price?.kind !== 'pack') return 'Clearframe';
  const count = new IntlMessageFormat(packs.name, languageTagOf(language)).format({ count: price.exports });
  return `Clearframe: ${count}`;
}

export const dateIn = (language: Locale, date: Date): string => dateFormat(languageTagOf(language))(date);

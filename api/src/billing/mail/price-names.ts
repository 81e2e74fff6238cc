import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Locale, languageTagOf, PLANS, priceOf } from '@clearframe/contract';
import { IntlMessageFormat } from 'intl-messageformat';
import { z } from 'zod';

/** What the pages call plans, periods and packs. */
const Tiers = z.object({
  plans: z.record(z.enum(PLANS), z.object({ title: z.string() })),
  // Beside the periods stand other words.
  period: z.object({ weekly: z.string(), monthly: z.string(), yearly: z.string() }),
  packs: z.object({ name: z.string() }),
});
type Tiers = z.infer<typeof Tiers>;

/** From the built file and from the source alike, the languages lie three folders up. */
const FOLDER = new URL('../../../../locales/', import.meta.url);
const read = new Map<Locale, Tiers>();

function tiersIn(language: Locale): Tiers {
  const file = fileURLToPath(new URL(`${language}/tiers.json`, FOLDER));
  const tiers = read.get(language) ?? Tiers.parse(JSON.parse(readFileSync(file, 'utf8')));
  read.set(language, tiers);
  return tiers;
}

/** What a letter calls what was bought, for instance `Clearframe Personal (Weekly)`, in the words of the pages. */
export function nameOfPrice(priceId: string, language: Locale): string {
  const price = priceOf(priceId);
  const { plans, period, packs } = tiersIn(language);
  if (price?.kind === 'plan') return `Clearframe ${plans[price.plan].title} (${period[price.period]})`;
  if (price?.kind !== 'pack') return 'Clearframe';
  const count = new IntlMessageFormat(packs.name, languageTagOf(language)).format({ count: price.exports });
  return `Clearframe: ${count}`;
}

/** A day as a letter writes it. */
export const dateIn = (language: Locale, date: Date): string =>
  new Intl.DateTimeFormat(languageTagOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);

/** The first day of a month, by language tag. CLDR formats it as '1 novembre', '1 de novembro'. */
const FIRST_DAY: Readonly<Record<string, string>> = { fr: '1er', it: '1º', 'pt-BR': '1º' };

/**
 * Dates for texts, in UTC, so that server and browser format the same day.
 * @param language BCP 47
 */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): (date: Date) => string {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const first = FIRST_DAY[language];
  if (first === undefined) return (date) => format.format(date);
  return (date) =>
    format
      .formatToParts(date)
      .map(({ type, value }) => (type === 'day' && value === '1' ? first : value))
      .join('');
}

/** The first day of a month, by language tag. CLDR formats it as '1 novembre', '1 de novembro'. */
const FIRST_DAY: Readonly<Record<string, string>> = { fr: '1er', it: '1º', 'pt-BR': '1º' };

/**
 * Dates for texts, in UTC, so that server and browser format the same day. Their spaces don't break:
 * a line must not end with the day or the month.
 * @param language BCP 47
 */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): (date: Date) => string {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const first = FIRST_DAY[language];
  return (date) =>
    format
      .formatToParts(date)
      .map(({ type, value }) => (type === 'day' && value === '1' && first !== undefined ? first : value))
      .join('')
      .replaceAll(' ', '\u00a0');
}

/** A line for each argument: short ones fit on a phone. */
export const commandLines = (...lines: readonly string[]): string => lines.join(' \\\n  ');

export const KEY_ARGUMENT = "-H 'X-Api-Key: cfk_…'";

/**
 * Enhances a photo and waits for the result.
 * @param api base URL of the API's routes
 */
export const enhanceExample = (api: string): string =>
  commandLines(`curl ${KEY_ARGUMENT}`, "-H 'Prefer: wait=60'", '-F file=@photo.jpg -o result.png', `${api}/enhance`);

import { FINAL_STATUSES } from '@clearframe/contract';

/** A line for each argument: short ones fit on a phone. */
export const commandLines = (...lines: readonly string[]): string => lines.join(' \\\n  ');

/**
 * Polls until only another request changes the state, whatever it is.
 * @param address of a task or a video
 */
export const pollExample = (address: string): string =>
  [
    `until curl -s ${KEY_ARGUMENT} \\`,
    `  ${address} | tee task.json |`,
    `  grep -Eq '"status":"(${FINAL_STATUSES.join('|')})"'`,
    'do sleep 2; done',
  ].join('\n');

export const KEY_ARGUMENT = "-H 'X-Api-Key: cfk_…'";

/**
 * Enhances a photo and waits for the result.
 * @param api base URL of the API's routes
 */
export const enhanceExample = (api: string): string =>
  commandLines(`curl ${KEY_ARGUMENT}`, "-H 'Prefer: wait=60'", '-F file=@photo.jpg -o result.png', `${api}/enhance`);

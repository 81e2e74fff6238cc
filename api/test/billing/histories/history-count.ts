/** In `npm test`, and in the long run (`VITEST_LENGTH`, see vitest.files.ts). */
const SHORT = 300;
const LONG = 3_000;

const isLong = !['short', undefined].includes(process.env.VITEST_LENGTH);

/** How many random histories of money are tried; a hundredth of them as whole lives over everything real. */
export const HISTORY_COUNT = Number(process.env.MONEY_HISTORIES ?? (isLong ? LONG : SHORT));

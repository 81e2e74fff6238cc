/** See vitest.files.ts. */
const length = process.env.VITEST_LENGTH ?? 'short';

/** Whether tests run that `npm test` has, and that `npm run test:long` has; `npm run test:all` has both. */
export const RUNS = { short: length !== 'long', long: length !== 'short' } as const;

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    include: ['app/**/*.test.{ts,tsx}', 'server/**/*.test.ts'],
    testTimeout: 20_000,
    // As in the build: Node would get their default exports wrapped in an object.
    server: { deps: { inline: ['i18next-icu', 'intl-messageformat', /@formatjs/] } },
  },
});

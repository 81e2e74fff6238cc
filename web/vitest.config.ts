import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: {
    name: 'web',
    ...testFiles(['app/**', 'server/**'], { extensions: '{ts,tsx}' }),
    isolate: false,
    testTimeout: 60_000,
    // Inlined as in vite.config.ts: Node would wrap their default exports in an object.
    server: { deps: { inline: ['i18next-icu', 'intl-messageformat', /@formatjs/] } },
  },
});

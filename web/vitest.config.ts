import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: {
    name: 'web',
    ...testFiles(['app/**', 'server/**'], { extensions: '{ts,tsx}' }),
    isolate: false,
    ...TIMEOUTS,
    // Inlined as in vite.config.ts: Node would wrap their default exports in an object.
    server: { deps: { inline: ['i18next-icu', 'intl-messageformat', /@formatjs/] } },
  },
});

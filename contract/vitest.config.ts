import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'contract', include: ['**/*.test.{ts,mjs}'], exclude: ['**/dist/**', '**/node_modules/**'] },
});

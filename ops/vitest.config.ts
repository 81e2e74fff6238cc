import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'ops', include: ['**/*.test.{ts,mjs}'], exclude: ['**/dist/**', '**/node_modules/**'] },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'ops', include: ['{launcher,checks}/*.test.{mjs,ts}'] } });

import { LOCALES, languageTagOf } from '@clearframe/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { startI18n } from './i18n.client';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(LOCALES.map(languageTagOf))('a page in %s starts with the messages embedded in it', async (language) => {
  const requested: string[] = [];
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('window', {});
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url);
    return Response.json({});
  });
  const { language: started } = await startI18n(language, { common: {} });
  expect([started, requested]).toEqual([language, []]);
});

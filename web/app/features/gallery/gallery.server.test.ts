import { expect, test } from 'vitest';
import { contextFor } from '../../../test/context';
import { loadGallery, submitGallery } from './gallery.server';

const LOCAL = contextFor(new URL('http://127.0.0.1:9'));
const PRODUCTION = { ...LOCAL, settings: { ...LOCAL.settings, environment: 'production' as const } };

const argsFor = (path: string, init?: RequestInit) => ({
  request: new Request(`http://clearframe.test${path}`, init),
  params: {},
});

test('shows every theme in every direction, or those in the query', async () => {
  const all = await loadGallery({ ...argsFor('/ui'), context: LOCAL });
  expect(all.variants).toHaveLength(4);
  const one = await loadGallery({ ...argsFor('/ui?theme=dark&dir=rtl'), context: LOCAL });
  expect(one.variants).toEqual([{ theme: 'dark', direction: 'rtl' }]);
});

test('loader and action respond with 404 in production', async () => {
  const form = { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) };
  await expect(loadGallery({ ...argsFor('/ui'), context: PRODUCTION })).rejects.toMatchObject({ status: 404 });
  await expect(submitGallery({ ...argsFor('/ui', form), context: PRODUCTION })).rejects.toMatchObject({ status: 404 });
});

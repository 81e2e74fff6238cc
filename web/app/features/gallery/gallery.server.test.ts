import { expect, test } from 'vitest';
import { contextFor } from '../../../test/context';
import { answerGallery, loadGallery } from './gallery.server';

const LOCAL = contextFor(new URL('http://127.0.0.1:9'));
const PRODUCTION = { ...LOCAL, settings: { ...LOCAL.settings, environment: 'production' as const } };

const asked = (path: string, init?: RequestInit) => ({
  request: new Request(`http://clearframe.test${path}`, init),
  params: {},
});

test('shows every theme in every direction, or those that are asked for', async () => {
  const all = await loadGallery({ ...asked('/ui'), context: LOCAL });
  expect(all.data.variants).toHaveLength(4);
  const one = await loadGallery({ ...asked('/ui?theme=dark&dir=rtl'), context: LOCAL });
  expect(one.data.variants).toEqual([{ theme: 'dark', direction: 'rtl' }]);
});

test('does not exist in production, neither to look at nor to send to', async () => {
  const form = { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) };
  await expect(loadGallery({ ...asked('/ui'), context: PRODUCTION })).rejects.toMatchObject({ status: 404 });
  await expect(answerGallery({ ...asked('/ui', form), context: PRODUCTION })).rejects.toMatchObject({ status: 404 });
});

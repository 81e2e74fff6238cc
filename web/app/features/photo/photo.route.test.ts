import { expect, it } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { headers, loader } from './photo.route';

const PUBLIC_URL = 'http://clearframe.test';
const PICTURE = {
  url: `${PUBLIC_URL}/media/results/1/clean.jpg?signature=x`,
  file_name: 'me.jpg',
  content_type: 'image/jpeg',
  width: 800,
  height: 600,
  expires_at: '2026-12-22T12:00:00.000Z',
};
const load = (url: URL, path: string) =>
  loader({ request: new Request(`${PUBLIC_URL}${path}`), context: contextFor(url, PUBLIC_URL), params: {} });

it('shows the picture of a key without a session, and keeps the key out of URLs', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 200, PICTURE));
  const data = await load(backend.url, '/photo?key=secret');
  expect(data).toMatchObject({
    photo: {
      file: {
        url: '/media/results/1/clean.jpg?signature=x',
        downloadUrl: '/media/results/1/clean.jpg?signature=x&download=1',
      },
      width: 800,
    },
    deletion: { iso: PICTURE.expires_at },
  });
  const none = new Headers();
  const sources = { loaderHeaders: none, actionHeaders: none, parentHeaders: none, errorHeaders: undefined };
  expect(new Headers(headers(sources)).get('cache-control')).toBe('no-store');
  const [call] = backend.requests;
  expect(call?.path).toBe('/api/v1/web/picture-links/open');
  expect(call?.headers.authorization).toBeUndefined();
});

it.each(['/photo', '/photo?key=', `/photo?key=${'x'.repeat(256)}`])('sends no request for %.20s', async (path) => {
  const backend = await startBackend((_request, response) => sendJson(response, 200, PICTURE));
  await expect(load(backend.url, path)).rejects.toMatchObject({ status: 404 });
  expect(backend.requests).toEqual([]);
});

it('shows a photo whose file is still prepared without the file', async () => {
  const backend = await startBackend((_request, response) => sendJson(response, 200, { ...PICTURE, url: null }));
  const data = await load(backend.url, '/photo?key=secret');
  expect(data.photo).toMatchObject({ file: null, width: 800, height: 600 });
});

it('responds with 404 for an expired link', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'picture_links.not_found'));
  await expect(load(backend.url, '/photo?key=old')).rejects.toMatchObject({ status: 404 });
});

import { expect, it } from 'vitest';
import { redactedPath } from './route.js';

it.each([
  ['/result?taskId=1&sharingId=2', '/result'],
  ['/s/AbC-_1?v=ip', '/s/*'],
  ['/media/shares/AbC-_1/output?download=1', '/media/shares/*/output'],
  ['/api/v1/web/sharings/AbC-_1', '/api/v1/web/sharings/*'],
  ['/media/results/1/2/display.jpg?signature=3', '/media/results/1/2/display.jpg'],
  ['/samples/a.jpg', '/samples/a.jpg'],
])('logs %s as %s', (url, expected) => {
  expect(redactedPath(url)).toBe(expected);
});

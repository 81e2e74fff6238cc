import { readFile } from 'node:fs/promises';
import { isFinal, STORED_TASK_STATUSES } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { pollExample } from './enhance-example';

const guide = await readFile(new URL('../../../../docs/api.md', import.meta.url), 'utf8');

it.each([
  ['the page', pollExample('https://clearframe.test/tasks/1')],
  ['the guide', guide],
])('polling in %s ends at every final status, and at no other', (_, text) => {
  const [, pattern = ''] = /grep -Eq '(.+)'/.exec(text) ?? [];
  const ends = STORED_TASK_STATUSES.filter((status) => new RegExp(pattern).test(`{"status":"${status}"}`));
  expect(ends).toEqual(STORED_TASK_STATUSES.filter(isFinal));
});

import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CHOICES } from '../src/core/tools.ts';
import { lastFolders, pickFolders } from '../src/host/folders.ts';
import { deviceId, forgetKey, storedKey, storeKey } from '../src/host/store.ts';
import * as memory from '../src/work/memory.ts';
import { freshHost } from './fake/current.ts';
import type { FakeHost } from './fake/host.ts';

let host: FakeHost;
beforeEach(() => {
  host = freshHost();
});

describe('the id of the device', () => {
  it('is random, and survives the loss of either place', async () => {
    const id = await deviceId();
    expect(id).toMatch(/^ps-[\da-f]{32}$/);
    host.secrets.clear();
    expect(await deviceId()).toBe(id);
    host.files.clear();
    expect(await deviceId()).toBe(id);
    expect(host.files.get('device.txt')?.content).toBe(id);
    host = freshHost();
    expect(await deviceId()).not.toBe(id);
  });

  it('is made of the Adobe user and the computer, so that it survives the loss of both', async () => {
    host.userId = 'e3b0c44298fc1c149afbf4c8996fb924';
    const id = await deviceId();
    host.secrets.clear();
    host.files.clear();
    expect(await deviceId()).toBe(id);
    expect(id).toMatch(/^ps-e3b0c44298fc1c149afbf4c8996fb924-[\da-f]{8}$/);
  });
});

it('the key is in the secure storage only, until it is forgotten', async () => {
  expect(await storedKey()).toBeNull();
  await storeKey('cfk_live_secret');
  expect(await storedKey()).toBe('cfk_live_secret');
  expect(JSON.stringify([...host.files])).not.toContain('secret');
  await forgetKey();
  await forgetKey();
  expect(await storedKey()).toBeNull();
});

it('folders are found again, until one of them is gone', async () => {
  expect([await pickFolders(), await lastFolders()]).toEqual([null, null]);
  host.folders.push(new Map([['a.jpg', { content: '' }]]), new Map());
  await pickFolders();
  const found = await lastFolders();
  expect((await found?.input.pictures())?.map(({ name }) => name)).toEqual(['a.jpg']);
  host.folderTokens.delete('token-1');
  expect(await lastFolders()).toBeNull();
});

it('presets, last choices and history are kept, and damaged files are none', async () => {
  const choices = { ...DEFAULT_CHOICES, upscale: 2, faces: { 0: 0.5 } } as const;
  await memory.savePreset({ name: 'Mine', choices });
  await memory.savePreset({ name: 'Mine', choices: DEFAULT_CHOICES });
  expect(await memory.presets()).toEqual([{ name: 'Mine', choices: DEFAULT_CHOICES }]);
  await memory.deletePreset('Mine');
  await memory.rememberChoices(choices, '/photos/a.psd');
  await memory.rememberChoices({ ...choices, upscale: 4 }, null);
  expect([await memory.presets(), (await memory.lastChoices()).upscale, (await memory.lastChoices()).faces]).toEqual([
    [],
    4,
    {},
  ]);
  expect(await memory.choicesOfDocument('/photos/a.psd')).toEqual({ ...choices, faces: {} });
  expect(await memory.choicesOfDocument('/photos/b.psd')).toBeNull();
  for (let index = 0; index < 60; index++)
    await memory.remember({ taskId: String(index), name: 'a', title: 'b', at: '2026-11-29T10:00:00Z' });
  await memory.forget('59');
  expect((await memory.history()).map(({ taskId }) => taskId).slice(0, 2)).toEqual(['58', '57']);
  expect(await memory.history()).toHaveLength(49);
  for (const name of ['last', 'presets', 'history']) host.files.set(`${name}.json`, { content: '{"tools":' });
  expect([await memory.lastChoices(), await memory.presets(), await memory.history()]).toEqual([
    DEFAULT_CHOICES,
    [],
    [],
  ]);
});

import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { DiskFullError, namingFullDisk, requireSpace } from './disk-full.js';

// Linux answers every write to this device as a full disk does.
const FULL = '/dev/full';

it('names the folder whose disk is full', async () => {
  const failed = namingFullDisk(tmpdir(), () => writeFile(FULL, 'x'));
  await expect(failed).rejects.toBeInstanceOf(DiskFullError);
  await expect(failed).rejects.toMatchObject({ folder: tmpdir(), message: expect.stringContaining(tmpdir()) });
});

it('keeps the folder that was named first', async () => {
  const failed = namingFullDisk('outer', () => namingFullDisk('inner', () => writeFile(FULL, 'x')));
  await expect(failed).rejects.toMatchObject({ folder: 'inner' });
});

it('keeps other errors', async () => {
  const failed = namingFullDisk(tmpdir(), () => writeFile('/dev/null/x', 'x'));
  await expect(failed).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('tells when less is free than an upload needs', async () => {
  await requireSpace(tmpdir());
  // A file system without any space.
  const failed = requireSpace('/proc');
  await expect(failed).rejects.toBeInstanceOf(DiskFullError);
  await expect(failed).rejects.toThrow('0 MB are free on the disk of /proc, and an upload needs 240 MB');
});

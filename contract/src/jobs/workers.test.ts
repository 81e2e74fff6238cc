import { describe, expect, it } from 'vitest';
import { enhanceImage, renderLooks } from './catalogue.js';
import { connectedWorkerOf, workerNameOf } from './define.js';

const connectionOf = (name: string): string => `clearframe:aW1hZ2Vz:w:${name}`;

describe('the connection of a worker', () => {
  it('tells how many jobs it runs at once, and which', () => {
    const worker = connectedWorkerOf(connectionOf(workerNameOf([enhanceImage, renderLooks], 4711, 12)));
    expect(worker.concurrency).toBe(12);
    expect([worker.takes(enhanceImage), worker.takes(renderLooks)]).toEqual([true, true]);
    expect(worker.takes({ ...renderLooks, version: renderLooks.version + 1 })).toBe(false);
    expect(worker.takes({ name: 'image.of-a-newer-version', version: 1 })).toBe(false);
  });

  it('has no spaces, which Redis refuses in a name', () =>
    expect(workerNameOf([enhanceImage, renderLooks], 4711, 12)).toMatch(/^\S+-x12$/));

  it.each([
    ['4711-x12', 12],
    ['other', 1],
  ])('of an earlier version takes all jobs: %s', (name, concurrency) => {
    const worker = connectedWorkerOf(connectionOf(name));
    expect([worker.concurrency, worker.takes(enhanceImage)]).toEqual([concurrency, true]);
  });

  it('without a name counts as one that runs one job at once', () =>
    expect(connectedWorkerOf('clearframe:aW1hZ2Vz').concurrency).toBe(1));
});

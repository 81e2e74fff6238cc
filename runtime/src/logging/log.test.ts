import { describe, expect, it } from 'vitest';
import { createLog } from './index.js';

function logged(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog('test', 'info', { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

describe('the log', () => {
  it('writes JSON lines with service, level name and ISO time', () => {
    const [line, ...others] = logged((log) => {
      log.info({ runId: '1' }, 'done');
      log.debug('not logged');
    });
    expect(line).toMatchObject({ service: 'test', level: 'info', runId: '1', msg: 'done' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
    expect(others).toEqual([]);
  });

  it('reduces errors to type, message, stack and code', () => {
    const error = Object.assign(new TypeError('broken'), { code: '23505', parameters: ['secret'] });
    const [line] = logged((log) => log.error({ err: error }, 'failed'));
    expect(Object.keys(line.err).sort()).toEqual(['code', 'message', 'stack', 'type']);
    expect(line.err).toMatchObject({ type: 'TypeError', message: 'broken', code: '23505' });
  });

  it.each(['password', 'token', 'accessToken', 'authorization', 'cookie', 'url', 'REDIS_URL'])('redacts %s', (name) => {
    const [line] = logged((log) => log.info({ context: { [name]: 'secret' } }, 'x'));
    expect(line.context[name]).toBe('[redacted]');
  });
});

import { describe, expect, it } from 'vitest';
import { INVALID_CODES } from '../jobs/define.js';
import { ROUTES } from '../resources/routes.js';
import { ERRORS, type ErrorCode, isErrorCode, messageKeyOf } from './catalogue.js';
import { problemOf } from './problem.js';

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe('the error catalogue', () => {
  it.each(CODES)('%s has a dotted name, an allowed status and a message key', (code) => {
    expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect([400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 416, 422, 429, 500, 503]).toContain(ERRORS[code].status);
    expect(messageKeyOf(code)).toBe(`errors.${code}`);
  });

  it.each<[RegExp, number]>([
    [/\.not_found$/, 404],
    [/\.not_in_plan$/, 403],
    [/\.too_large$/, 413],
    [/unsupported_(media_)?type$/, 415],
    [/^users\.not_authorized$/, 401],
    [/\.rate_limited$/, 429],
    [/^(service\.unavailable|service\.not_configured|queue\.full)$/, 503],
    [/(wrong_state|already_processed|in_progress|closed|(?<!scope_)missing)$/, 409],
    [/((?<!device_)mismatch|key_reused|format_not_available|too_many_files|too_many_pixels|\.empty)$/, 422],
    [/(malformed|key_invalid)$/, 400],
    [/(answer_expired|sharings\.expired)$/, 410],
  ])('codes matching %s have status %i', (pattern, status) => {
    const matching = CODES.filter((code) => pattern.test(code));
    expect(matching.length).toBeGreaterThan(0);
    for (const code of matching) expect([code, ERRORS[code].status]).toEqual([code, status]);
  });

  it('alerts operators only about server faults', () => {
    for (const code of CODES) if (ERRORS[code].status < 500) expect([code, ERRORS[code].report]).toEqual([code, false]);
  });

  it('recognizes known codes only', () => {
    expect(isErrorCode('tasks.not_found')).toBe(true);
    for (const other of ['toString', '__proto__', 'tasks.nothing', '']) expect(isErrorCode(other)).toBe(false);
    for (const code of [...INVALID_CODES, ...ROUTES.flatMap(({ errors }) => errors)])
      expect(isErrorCode(code)).toBe(true);
  });
});

describe('problemOf', () => {
  it('takes status and title from the catalogue', () => {
    expect(problemOf('tasks.not_found', 'r')).toEqual({
      type: 'urn:clearframe:error:tasks.not_found',
      title: 'Task not found',
      status: 404,
      errorCode: 'tasks.not_found',
      errorDescription: 'Task not found.',
      requestId: 'r',
    });
  });

  it('accepts a description and details', () => {
    expect(problemOf('tasks.not_found', 'r', 'Gone.', { a: 1 })).toMatchObject({
      errorDescription: 'Gone.',
      details: { a: 1 },
    });
  });
});

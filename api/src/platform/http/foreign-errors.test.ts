import { BadRequestException, NotFoundException } from '@nestjs/common';
import { errorCodes } from 'fastify';
import { describe, expect, it } from 'vitest';
import { asAppError } from '../errors/problem.filter.js';

describe('an error without a code of ours', () => {
  it.each([
    ['of Nest', new NotFoundException(), 'request.not_found'],
    ['of Nest', new BadRequestException(), 'request.malformed'],
    ['of Fastify', new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY(), 'request.malformed'],
    ['of Fastify', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 'request.too_large'],
    ['of Fastify', new errorCodes.FST_ERR_REP_ALREADY_SENT('/', 'GET'), 'service.internal'],
  ])('%s that rejects the request keeps its status: %s', (_, error, code) => {
    expect(asAppError(error).code).toBe(code);
  });

  it.each([400, 404, 413, 415])(
    'of an SDK whose own request was answered with %i is a failure of the server',
    (statusCode) => {
      expect(asAppError(Object.assign(new Error('no such customer'), { statusCode })).code).toBe('service.internal');
    },
  );
});

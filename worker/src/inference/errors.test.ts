import { describe, expect, it } from 'vitest';
import { ModelFileError } from '../networks/manifest.js';
import { OutOfMemoryError } from '../networks/tiling.js';
import { reviveError, serializeError } from './errors.js';

class Busy extends Error {
  override readonly name = 'Busy';
  readonly retryable = true;
}

describe('errors sent by the child', () => {
  it.each([new ModelFileError('changed'), new OutOfMemoryError('full'), new Busy('later')])(
    '%s keeps its name, message and retryability',
    (error) => {
      const { name, message, retryable } = error;
      expect(reviveError(structuredClone(serializeError(error)))).toMatchObject({ name, message, retryable });
    },
  );

  it('omits retryability for other errors, and accepts thrown values of any type', () => {
    expect(reviveError(serializeError(new TypeError('odd')))).not.toHaveProperty('retryable');
    expect(reviveError(serializeError('thrown'))).toMatchObject({ name: 'Error', message: 'thrown' });
  });
});

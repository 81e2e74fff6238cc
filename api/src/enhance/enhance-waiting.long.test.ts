import { MAX_WAIT_SECONDS } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { picture } from '../../test/support/pictures.js';

const { send } = useEnhance();

it('answers 202 after the longest wait, while no worker takes the picture', async () => {
  const { body, headers } = await send(picture.jpeg(), '', { prefer: `wait=${MAX_WAIT_SECONDS}` }).expect(202);
  expect(headers['preference-applied']).toBe(`wait=${MAX_WAIT_SECONDS}`);
  expect(body.status).toBe('processing');
});

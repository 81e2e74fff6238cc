import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();

/** Local mode does not listen on this loopback address. */
const ANOTHER_ADDRESS = '127.0.0.2';

it.each(['url', 'apiUrl', 'workerUrl'] as const)('%s listens on the loopback address only', async (process) => {
  const { port } = new URL(product[process]);
  const socket = connect({ host: ANOTHER_ADDRESS, port: Number(port) });
  const outcome = once(socket, 'connect').then(
    () => 'connected',
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect(await outcome).toBe('ECONNREFUSED');
  socket.destroy();
});

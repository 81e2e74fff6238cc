import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();

/** Loopback, and yet none of the addresses that local mode listens on. */
const ANOTHER_ADDRESS = '127.0.0.2';

it.each(['url', 'apiUrl', 'workerUrl'] as const)('%s is reached by this machine only', async (process) => {
  const { port } = new URL(product[process]);
  const socket = connect({ host: ANOTHER_ADDRESS, port: Number(port) });
  const outcome = once(socket, 'connect').then(
    () => 'connected',
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect(await outcome).toBe('ECONNREFUSED');
  socket.destroy();
});

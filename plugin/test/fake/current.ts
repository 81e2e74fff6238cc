import { FakeHost } from './host.ts';

/** The host of the test that runs. */
export const current = { host: new FakeHost() };

export function freshHost(): FakeHost {
  current.host = new FakeHost();
  return current.host;
}

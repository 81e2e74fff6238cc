import { describe, expect, it } from 'vitest';
import { chooseRuntime } from './install.mjs';

describe('the runtime', () => {
  const executable = '/usr/bin/node';
  it('is the running Node from 24 on', () => {
    expect(chooseRuntime({ version: '24.0.0', executable, bundled: '/packaged' })).toBe(executable);
    expect(chooseRuntime({ version: '26.1.0', executable, bundled: null })).toBe(executable);
  });

  it('is the packaged one under an older Node', () => {
    expect(chooseRuntime({ version: '18.20.0', executable, bundled: '/packaged' })).toBe('/packaged');
  });

  it('must be installed where there is neither', () => {
    expect(() => chooseRuntime({ version: '20.1.0', executable, bundled: null })).toThrow(
      /runs on Node 24; this is 20.1.0/,
    );
  });
});

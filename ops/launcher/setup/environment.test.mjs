import { describe, expect, it } from 'vitest';
import { cleanEnvironment, readSettings, withFirstOnPath } from './environment.mjs';

describe('the environment of tools', () => {
  it('drops the variables of npm and keeps package sources', () => {
    const cleaned = cleanEnvironment({
      HOME: '/home/ada',
      NODE_ENV: 'production',
      INIT_CWD: '/somewhere',
      npm_package_name: 'clearframe',
      npm_lifecycle_event: 'start',
      npm_config_omit: 'dev',
      npm_config_registry: 'https://registry.example',
      npm_config_https_proxy: 'http://proxy.example',
      npm_config_cafile: '/etc/ca.pem',
    });
    expect(Object.keys(cleaned).sort()).toEqual([
      'HOME',
      'npm_config_cafile',
      'npm_config_https_proxy',
      'npm_config_registry',
    ]);
  });

  it('puts the runtime first on the PATH', () => {
    expect(withFirstOnPath({ PATH: '/usr/bin' }, '/node/bin').PATH).toBe('/node/bin:/usr/bin');
    expect(withFirstOnPath({}, '/node/bin').PATH).toBe('/node/bin');
  });
});

describe('the settings of npm start', () => {
  it('has defaults for everything', () => {
    expect(readSettings({}, '/checkout')).toEqual({
      ports: { WEB_PORT: 3000, API_PORT: 4000, WORKER_PORT: 4001, SANDBOX_PORT: 4002 },
      environment: 'local',
      hasPaymentForms: true,
      publicUrl: 'http://localhost:3000',
      dataFolder: '/checkout/.data',
      databaseUrl: null,
      redisUrl: null,
    });
  });

  it('derives the public URL from the port, unless it is given', () => {
    expect(readSettings({ WEB_PORT: '8080' }, '/').publicUrl).toBe('http://localhost:8080');
    expect(readSettings({ PUBLIC_URL: 'https://clearframe.example/' }, '/').publicUrl).toBe(
      'https://clearframe.example',
    );
  });

  it.each([
    [{ WEB_PORT: 'abc' }, 'WEB_PORT'],
    [{ API_PORT: '70000' }, 'API_PORT'],
    [{ WORKER_PORT: '1.5' }, 'WORKER_PORT'],
    [{ API_PORT: '3000' }, 'different'],
    [{ PUBLIC_URL: 'clearframe' }, 'PUBLIC_URL'],
    [{ CLEARFRAME_ENV: 'staging' }, 'CLEARFRAME_ENV'],
    [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL'],
  ])('names the invalid variable in %o', (env, word) => {
    expect(() => readSettings(env, '/')).toThrow(word);
  });
});

import { current } from './current.ts';
import { uxpOf } from './host.ts';

type Module = ReturnType<typeof uxpOf>;
const member = <Name extends keyof Module>(name: Name): Module[Name] =>
  new Proxy({} as object, { get: (_, key) => Reflect.get(uxpOf(current.host)[name] as object, key) }) as Module[Name];

/** What tests import as `uxp`. */
const secureStorage = new Proxy({} as Module['storage']['secureStorage'], {
  get: (_, key) => Reflect.get(uxpOf(current.host).storage.secureStorage, key),
});
const localFileSystem = new Proxy({} as Module['storage']['localFileSystem'], {
  get: (_, key) => Reflect.get(uxpOf(current.host).storage.localFileSystem, key),
});
export const storage = { secureStorage, localFileSystem, formats: { binary: Symbol('binary') } };
export const host = member('host');
export const versions = member('versions');
export const shell = member('shell');
export const userInfo = member('userInfo');
export const entrypoints = member('entrypoints');

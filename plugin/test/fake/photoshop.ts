import { current } from './current.ts';
import { photoshopOf } from './host.ts';

type Module = ReturnType<typeof photoshopOf>;
const member = <Name extends keyof Module>(name: Name): Module[Name] =>
  new Proxy({} as object, {
    get: (_, key) => Reflect.get(photoshopOf(current.host)[name], key),
    set: (_, key, value) => Reflect.set(photoshopOf(current.host)[name], key, value),
  }) as Module[Name];

/** What tests import as `photoshop`. */
export const app = member('app');
export const core = member('core');
export const action = member('action');
export const imaging = member('imaging');
export const constants = member('constants');

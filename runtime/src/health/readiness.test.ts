import 'reflect-metadata';
import { type INestApplicationContext, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { HealthModule, NotReadyError, Readiness, ReadinessCheck, type ReadinessCheckOptions } from './index.js';

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

function checkOf(options: ReadinessCheckOptions, check: () => unknown): Type {
  @Injectable()
  @ReadinessCheck(options)
  class Check {
    check = check;
  }
  return Check;
}

async function start(providers: Type[], required: string[]): Promise<Readiness> {
  class RootModule {}
  Module({ providers, imports: [HealthModule.requiring(...required)] })(RootModule);
  app = await NestFactory.createApplicationContext(RootModule, { logger: false, abortOnError: false });
  return app.get(Readiness, { strict: false });
}

const fail = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1'));

describe('readiness', () => {
  it('is ready while every dependency is up', async () => {
    const readiness = await start([checkOf({ name: 'a' }, () => 1), checkOf({ name: 'b' }, async () => 2)], ['a', 'b']);
    expect(await readiness.report()).toEqual({ status: 'ready', dependencies: { a: 'up', b: 'up' } });
  });

  it('is not ready while a check rejects or throws', async () => {
    const throws = () => {
      throw new Error('not started');
    };
    const readiness = await start(
      [checkOf({ name: 'a' }, fail), checkOf({ name: 'b' }, throws), checkOf({ name: 'c' }, () => 1)],
      ['a', 'b', 'c'],
    );
    expect(await readiness.report()).toEqual({
      status: 'not_ready',
      dependencies: { a: 'down', b: 'down', c: 'up' },
    });
  });

  it('says why where a check can tell', async () => {
    const full = () => Promise.reject(new NotReadyError('1 MB is free'));
    const readiness = await start([checkOf({ name: 'a' }, full), checkOf({ name: 'b' }, fail)], ['a', 'b']);
    expect(await readiness.report()).toEqual({
      status: 'not_ready',
      dependencies: { a: 'down', b: 'down' },
      reasons: { a: '1 MB is free' },
    });
  });

  it('is degraded while only an optional dependency is down', async () => {
    const readiness = await start(
      [checkOf({ name: 'a' }, () => 1), checkOf({ name: 'b', isOptional: true }, fail)],
      ['a', 'b'],
    );
    expect(await readiness.report()).toEqual({ status: 'degraded', dependencies: { a: 'up', b: 'down' } });
  });

  it('is not ready once the application closes', async () => {
    const readiness = await start([checkOf({ name: 'a' }, () => 1)], ['a']);
    await app?.close();
    expect((await readiness.report()).status).toBe('not_ready');
  });

  it.each([
    ['without a required check', [], ['a']],
    ['with a check that is not required', ['a', 'b'], ['a']],
    ['with two checks of one name', ['a', 'a'], ['a']],
  ])('stops the boot %s', async (_, declared, required) => {
    const providers = declared.map((name) => checkOf({ name }, () => 1));
    await expect(start(providers, required)).rejects.toThrow('readiness checks: a are required');
  });
});

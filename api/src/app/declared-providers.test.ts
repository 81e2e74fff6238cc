import 'reflect-metadata';
import { type INestApplicationContext, Injectable, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { BILLING_PARTS } from '../billing/billing-personal-data.js';
import { type ExportPart, HoldsPersonalData, PersonalDataRegistry } from '../platform/personal-data.js';

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(...providers: Type[]): Promise<INestApplicationContext> {
  class Root {}
  Module({ imports: [DiscoveryModule], providers })(Root);
  app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  return app;
}

const OTHER_PARTS = [
  'localStorageIds',
  'forcedSegments',
  'supportRequests',
  'keyUsage',
  'webhookEndpoints',
  'webhookDeliveries',
] as const;

describe('holders of personal data', () => {
  function holderOf(...parts: ExportPart[]): Type {
    @Injectable()
    @HoldsPersonalData(parts)
    class Holder {
      export = async () => Object.fromEntries(parts.map((part) => [part, []]));
      listRetained = async () => parts;
    }
    return Holder;
  }

  it('are found by their declarations', async () => {
    const context = await start(
      PersonalDataRegistry,
      holderOf('tasks', 'sharings'),
      holderOf(...BILLING_PARTS),
      holderOf('mail', 'pluginKeys', 'staffActions', 'consents', 'events'),
      holderOf(...OTHER_PARTS),
      holderOf(),
    );
    const parts = Object.keys(await context.get(PersonalDataRegistry).export('user-1', 'base'));
    expect(parts.sort()).toEqual(
      [
        ...[...BILLING_PARTS, ...OTHER_PARTS],
        ...['mail', 'pluginKeys', 'sharings', 'staffActions', 'consents', 'events', 'tasks'],
      ].sort(),
    );
  });

  it('must provide each part of the export: the boot fails without the mail', async () => {
    await expect(
      start(
        PersonalDataRegistry,
        holderOf('tasks', 'sharings'),
        holderOf(...BILLING_PARTS),
        holderOf('pluginKeys', 'staffActions', 'consents', 'events', ...OTHER_PARTS),
      ),
    ).rejects.toThrow("personal data: one provider decorated with @HoldsPersonalData(['mail']) is required, found 0");
  });

  it('must not share a part', async () => {
    await expect(
      start(
        PersonalDataRegistry,
        holderOf('tasks', 'sharings', 'mail', 'pluginKeys', 'staffActions', 'consents', 'events'),
        holderOf(...BILLING_PARTS, ...OTHER_PARTS),
        holderOf('mail'),
      ),
    ).rejects.toThrow("@HoldsPersonalData(['mail']) is required, found 2");
  });
});

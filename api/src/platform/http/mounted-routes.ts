import type { RouteSpec } from '@clearframe/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { routeOfMethod } from './route.decorator.js';

export interface MountedHandler {
  readonly name: string;
  readonly method: object;
}

export function* mountedHandlers(modules: ModulesContainer): Generator<MountedHandler> {
  const scanner = new MetadataScanner();
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      if (!metatype) continue;
      const prototype: Record<string, unknown> = metatype.prototype;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const method = prototype[name];
        if (typeof method === 'function' && Reflect.hasMetadata(PATH_METADATA, method)) {
          yield { name: `${metatype.name}.${name}`, method };
        }
      }
    }
  }
}

export function mountedRoutes(app: INestApplicationContext): ReadonlySet<RouteSpec> {
  const routes = [...mountedHandlers(app.get(ModulesContainer))].map(({ method }) => routeOfMethod(method));
  return new Set(routes.filter((route) => route !== undefined));
}

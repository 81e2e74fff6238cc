import type { RouteSpec } from '@clearframe/contract';
import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { rowOf } from './route.decorator.js';

/** The rows that this application serves: which of the sandboxes' are among them depends on its settings. */
export function mountedRoutes(app: INestApplication): ReadonlySet<RouteSpec> {
  const scanner = new MetadataScanner();
  const mounted = new Set<RouteSpec>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (!metatype) continue;
      const prototype: Record<string, unknown> = metatype.prototype;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const row = rowOf(prototype[name]);
        if (row) mounted.add(row);
      }
    }
  }
  return mounted;
}

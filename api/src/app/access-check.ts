import { accessTo } from '@clearframe/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { isOperational, routeOfMethod } from '../platform/http/route.decorator.js';

/** Fails the boot when a handler declares no access, which the guard would not restrict. */
@Injectable()
export class AccessCheck implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    for (const { name, method } of mountedHandlers(this.modules)) {
      const route = routeOfMethod(method);
      const isDeclared = route ? accessTo(route) !== undefined : isOperational(method);
      if (!isDeclared) {
        throw new Error(
          `${name} declares no access: mount it with @Route() on a contract route that has an 'allow', or mark it @Operational()`,
        );
      }
    }
  }
}

function* mountedHandlers(modules: ModulesContainer): Generator<{ readonly name: string; readonly method: object }> {
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

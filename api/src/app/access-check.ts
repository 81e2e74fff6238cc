import { accessTo } from '@clearframe/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { mountedHandlers } from '../platform/http/mounted-routes.js';
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

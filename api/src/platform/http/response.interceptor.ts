import { toWire } from '@clearframe/contract';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { routeOf, successStatusOf } from './route.decorator.js';

export class RouteResponse<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {}
}

/**
 * Serializes responses by the schema of their route: removes unknown members, converts names to snake_case, disables
 * caching.
 */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const spec = routeOf(context);
    if (!spec) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((value) => {
        if (value instanceof StreamableFile) {
          reply.header('cache-control', 'no-store');
          return value;
        }
        const { status, body } =
          value instanceof RouteResponse ? value : { status: successStatusOf(spec), body: value };
        const schema = spec.responses[status];
        reply.status(status).header('cache-control', 'no-store');
        return schema ? toWire(schema, schema.parse(body)) : undefined;
      }),
    );
  }
}

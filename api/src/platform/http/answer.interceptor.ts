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
import { routeOf, usualStatusOf } from './route.decorator.js';

/** A handler's way to say another of its row's statuses than the usual one. */
export class Answer<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {}
}

/**
 * Serialises an answer by its row: what the schema does not name does not leave the house, and names become
 * snake_case here and nowhere else. Nothing a caller may ask for by token is cached on the way.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const spec = routeOf(context);
    if (!spec) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((value) => {
        // A file goes out as it is: what it consists of was chosen by whoever opened it.
        if (value instanceof StreamableFile) {
          reply.header('cache-control', 'no-store');
          return value;
        }
        const { status, body } = value instanceof Answer ? value : { status: usualStatusOf(spec), body: value };
        const schema = spec.responses[status];
        reply.status(status).header('cache-control', 'no-store');
        return schema ? toWire(schema, schema.parse(body)) : undefined;
      }),
    );
  }
}

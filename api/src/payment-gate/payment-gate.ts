import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { AppError } from '../platform/errors/app-error.js';
import { routeOf } from '../platform/http/route.decorator.js';
import { CountriesConfig } from './countries.config.js';

/** Rejects payments from blocked countries, and new work from those without service. */
@Injectable()
export class PaymentGate implements NestInterceptor {
  constructor(private readonly countries: CountriesConfig) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const route = routeOf(context);
    if (route?.takesMoney && this.countries.isBlocked(headers)) throw new AppError('billing.country_blocked');
    if (route?.enhances && !this.countries.hasService(headers)) throw new AppError('service.country_blocked');
    return next.handle();
  }
}

import { CAPTCHA_HEADER } from '@clearframe/contract';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { AppConfig } from '../../platform/config/app.config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { addressOf } from '../../platform/http/address.js';
import { routeOf } from '../../platform/http/route.decorator.js';
import { Captcha } from './captcha.js';
import { CountriesConfig } from './countries.config.js';

/**
 * Checks the country on routes that start a payment, then the captcha on these and on others that require one. Runs before
 * the body is read, so that bots learn nothing from later errors.
 */
@Injectable()
export class PaymentGate implements NestInterceptor {
  constructor(
    private readonly countries: CountriesConfig,
    private readonly captcha: Captcha,
    private readonly app: AppConfig,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = routeOf(context);
    if (!route?.takesMoney && !route?.requiresCaptcha) return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (route.takesMoney) this.rejectBlockedCountry(request);
    await this.verifyCaptcha(request, route.path);
    return next.handle();
  }

  private rejectBlockedCountry({ headers }: FastifyRequest): void {
    if (this.countries.isBlocked(headers)) throw new AppError('billing.country_blocked');
  }

  private async verifyCaptcha(request: FastifyRequest, action: string): Promise<void> {
    const given = request.headers[CAPTCHA_HEADER];
    const token = typeof given === 'string' ? given : null;
    const { valid, reasons } = await this.captcha.verify({
      token,
      action,
      address: addressOf(request, this.app.internalSecret),
    });
    if (!valid) throw new AppError('captcha.failed', { details: { reasons } });
  }
}

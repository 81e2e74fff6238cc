import { Injectable } from '@nestjs/common';
import { ProviderUnavailable } from '../../port/payment-provider.js';

interface HeldResponse {
  readonly reached: () => void;
  readonly released: Promise<void>;
}

/** Simulates outages and lost responses of the provider in tests. */
@Injectable()
export class FaultInjector {
  private isDown = false;
  private responsesToLose = 0;
  private held: HeldResponse | undefined;

  /** All calls fail until {@link reconnect}. */
  disconnect(): void {
    this.isDown = true;
  }

  reconnect(): void {
    this.isDown = false;
  }

  /** The next request is executed, but its response is lost. */
  loseNextResponse(): void {
    this.responsesToLose += 1;
  }

  /** The next request is executed (`reached`); its response arrives after `release`. */
  holdNextResponse(): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.held = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  /** @throws ProviderUnavailable while disconnected, or for a lost response */
  async call<Result>(request: () => Promise<Result>): Promise<Result> {
    if (this.isDown) throw new ProviderUnavailable('the sandbox is disconnected');
    const { held } = this;
    this.held = undefined;
    const isLost = this.responsesToLose > 0;
    if (isLost) this.responsesToLose -= 1;
    const result = await request();
    held?.reached();
    await held?.released;
    if (isLost) throw new ProviderUnavailable('the response of the sandbox was lost');
    return result;
  }
}

import { Injectable } from '@nestjs/common';
import { ProviderUnavailable } from '../../port/payment-provider.js';

interface Gate {
  readonly reached: () => void;
  readonly released: Promise<void>;
}

/**
 * Simulates outages and lost responses between the product and the provider in tests; otherwise it passes calls
 * through.
 */
@Injectable()
export class FaultInjector {
  private isDown = false;
  private answersToLose = 0;
  private gate: Gate | undefined;

  /** Calls fail from now on. */
  disconnect(): void {
    this.isDown = true;
  }

  reconnect(): void {
    this.isDown = false;
  }

  /** The next request is carried out, and its response is lost. */
  loseNextResponse(): void {
    this.answersToLose += 1;
  }

  /** The next request is carried out (`reached`), and its response arrives after `release`. */
  holdNextResponse(): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.gate = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  /** @throws ProviderUnavailable while disconnected, or for a lost response */
  async call<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    if (this.isDown) throw new ProviderUnavailable('the sandbox is disconnected');
    const { gate } = this;
    this.gate = undefined;
    const isLost = this.answersToLose > 0;
    if (isLost) this.answersToLose -= 1;
    const answer = await request();
    gate?.reached();
    await gate?.released;
    if (isLost) throw new ProviderUnavailable('the response of the sandbox was lost');
    return answer;
  }
}

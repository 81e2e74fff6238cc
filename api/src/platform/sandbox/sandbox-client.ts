import { AppError } from '../errors/app-error.js';

export async function fetchSandbox(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
  }
}

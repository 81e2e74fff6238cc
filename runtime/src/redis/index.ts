export * from './queue-connection.js';
export * from './redis-client.js';
export * from './watched-redis.js';

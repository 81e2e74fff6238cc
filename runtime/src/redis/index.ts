export * from './queue-connection.js';
export * from './redis.config.js';
export * from './redis.module.js';
export * from './redis-client.js';
export * from './watched-redis.js';
export * from './worker-connections.js';

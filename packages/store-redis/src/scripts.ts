// Each script runs atomically. Times are those of the server.

/** Adds to a counter; the expiry starts when it is created. Arguments: the number, and the milliseconds (empty for no expiry). Returns value and remaining time.
 * The value is returned as text, because clients lose precision for large numbers. */
export const addScript = `
local made = redis.call('EXISTS', KEYS[1]) == 0
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
if value > 9007199254740991 or value < -9007199254740991 then
  redis.call('DECRBY', KEYS[1], ARGV[1])
  return redis.error_reply('ERR a counter is a safe integer')
end
if made and ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { string.format('%.0f', value), redis.call('PTTL', KEYS[1]) }`;

/**
 * Compare-and-set. Arguments: whether a text is expected, the expected text, whether there is a new text, the new text,
 * and its milliseconds.
 */
export const swapScript = `
local text = redis.call('GET', KEYS[1])
if ARGV[1] == '1' then
  if text ~= ARGV[2] then return 0 end
elseif text then
  return 0
end
if ARGV[3] == '0' then
  redis.call('DEL', KEYS[1])
elseif ARGV[5] == '' then
  redis.call('SET', KEYS[1], ARGV[4])
else
  redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
end
return 1`;

/**
 * Appends an entry to a log and sets texts. Arguments: the entry, its milliseconds, a generation for a new log, a mark
 * for this entry, and the texts for KEYS[2] onwards. Returns generation and id.
 *
 * Each entry contains the generation, so that a log is a single key and cannot be lost in part. Expired entries are
 * removed from the start, but never the last one before the new entry, because readers may be positioned there.
 */
export const appendScript = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local generation = last and last[2][2] or ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if last then
  local first
  for _, one in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 20)) do
    if tonumber(one[2][6]) > now or one[1] == last[1] then break end
    first = one[1]
  end
  if first then
    redis.call('XTRIM', KEYS[1], 'MINID', redis.call('XRANGE', KEYS[1], '(' .. first, '+', 'COUNT', 1)[1][1])
  end
end
local id = redis.call('XADD', KEYS[1], '*', 'g', generation, 'm', ARGV[4],
  'x', string.format('%.0f', now + ARGV[2]), 'e', ARGV[1])
for n = 2, #KEYS do redis.call('SET', KEYS[n], ARGV[n + 3], 'PX', ARGV[2]) end
return { generation, id }`;

// Made by python -m scripts.web_types from protocol/: change it there.
// A shape is a letter (string, integer, number, boolean, anything), a name among these, or one of
// {e: one of}, {l: list}, {t: tuple}, {m: map to}, {o: any of; null if n}, {p: fields by place}
// and {f: fields by name}; a field is [shape] or [shape, default].

export const MESSAGES = {"welcome":{"f":{"ref":["s"],"player":["s"],"name":["s"],"token":[{"o":["s"],"n":1},null],"protocol":["i",1],"server":["s",""],"now_ms":["i",0],"games":[{"l":"GameInfo"},[]],"matches":[{"l":"s"},[]],"chat":["b",true]}},"pong":{"f":{"ref":["s"],"now_ms":["i"]}},"accepted":{"f":{"ref":["s"],"match":["s",""],"version":["i",0],"key":[{"o":["s"],"n":1},null]}},"refused":{"f":{"ref":["s"],"code":["s"],"text":["s"],"data":[{"m":"a"},{}],"match":["s",""],"version":["i",0]}},"lobby_state":{"f":{"matches":[{"l":"MatchSummary"}],"total":["i",0],"people":[{"l":"s"},[]],"here":["i",0]}},"lobby_change":{"f":{"put":[{"l":"MatchSummary"},[]],"gone":[{"l":"s"},[]],"people":[{"o":[{"l":"s"}],"n":1},null],"here":[{"o":["i"],"n":1},null]}},"snapshot":{"f":{"match":["s"],"version":["i"],"game":["s"],"options":[{"m":{"o":["i","s","b"]}}],"status":[{"e":["ended","playing","waiting"]}],"private":["b"],"created_ms":["i"],"seats":[{"t":["SeatInfo","SeatInfo"]}],"you":[{"l":"i"}],"board":["Board"],"marks":[{"m":"Mark"}],"focus":[{"l":"s"}],"scores":[{"t":[{"l":"i"},{"l":"i"}]}],"to_move":[{"o":["i"],"n":1}],"legal":[{"l":"s"}],"text":["s"],"resting":[{"l":"s"},[]],"plies":["i",0],"last":[{"o":["LastMove"],"n":1},null],"result":[{"o":["Result"],"n":1},null],"spectators":["i",0],"key":[{"o":["s"],"n":1},null],"now_ms":["i",0],"clock_rule":["ClockRule",{"per_move_ms":0,"total_ms":0,"increment_ms":0}],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"grace_s":["i",30],"offer":[{"o":["OfferInfo"],"n":1},null],"pause":[{"o":["PauseInfo"],"n":1},null],"away":[{"l":"AwayInfo"},[]],"can":[{"t":[{"l":"s"},{"l":"s"}]},[[],[]]],"rematch":["s",""],"watchable":["b",true],"delay_plies":["i",0]}},"presence":{"f":{"match":["s"],"here":[{"t":["b","b"]}],"spectators":["i"]}},"said":{"f":{"match":["s"],"channel":[{"e":["players","spectators"]}],"number":["i"],"name":["s"],"text":["s"],"at_ms":["i"],"seat":[{"o":["i"],"n":1},null]}},"chat":{"f":{"match":["s"],"channel":[{"e":["players","spectators"]}],"lines":[{"l":"said"}]}},"going_away":{"f":{"text":["s"],"back_in_ms":["i",0]}},"position":{"f":{"ref":["s"],"match":["s"],"ply":["i"],"plies":["i"],"marks":[{"m":"Mark"}],"focus":[{"l":"s"}],"scores":[{"t":[{"l":"i"},{"l":"i"}]}],"to_move":[{"o":["i"],"n":1}],"text":["s"],"last":[{"o":["LastMove"],"n":1},null]}},"record":{"f":{"ref":["s"],"match":["s"],"game":["s"],"options":[{"m":{"o":["i","s","b"]}}],"names":[{"t":["s","s"]}],"moves":[{"l":"s"}],"hash":["s"],"created_ms":["i"],"result":[{"o":["Result"],"n":1},null]}},"joined":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"name":["s"],"status":[{"e":["ended","playing","waiting"]}]}},"seat_freed":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"]}},"moved":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"move":["s"],"marks":[{"m":{"o":["Mark"],"n":1}}],"to_move":[{"o":["i"],"n":1}],"legal":[{"o":["LegalChange"],"n":1},null],"scores":[{"o":[{"t":[{"l":"i"},{"l":"i"}]}],"n":1},null],"focus":[{"o":[{"l":"s"}],"n":1},null],"automatic":["b",false]}},"ended":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"result":["Result"]}},"offered":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"kind":[{"e":["draw","rematch","restart","revert","takeback"]}]}},"offer_closed":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"kind":[{"e":["draw","rematch","restart","revert","takeback"]}],"fate":[{"e":["accepted","declined","moved","withdrawn"]}]}},"replaced":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"by":[{"e":["restart","revert","takeback"]}]}},"paused":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":["i"],"until_ms":["i"]}},"continued":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"seat":[{"o":["i"],"n":1}]}},"away":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"away":[{"l":"AwayInfo"}]}},"excused":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"outage_ms":["i"]}},"rematched":{"f":{"match":["s"],"version":["i"],"at_ms":["i"],"text":["s",""],"clock":[{"o":[{"t":["i","i"]}],"n":1},null],"can":[{"o":[{"t":[{"o":[{"l":"s"}],"n":1},{"o":[{"l":"s"}],"n":1}]}],"n":1},null],"next":["s"]}}};

export const VALUES = {"AwayInfo":{"f":{"seat":["i"],"until_ms":[{"o":["i"],"n":1}]}},"Board":{"f":{"width":["n"],"height":["n"],"dots":[{"l":"Dot"},[]],"lines":[{"l":"Line"},[]],"cells":[{"l":"Cell"},[]],"regions":[{"l":"Region"},[]],"turned_for":[{"l":"i"},[]],"tones":[{"m":"s","k":{"e":["plain","light","dark"]}},{}]}},"Cell":{"p":[["s"],["n"],["n"],[{"e":["square","hex"]},"square"],[{"e":["plain","light","dark"]},"plain"],["s",""]]},"ClockRule":{"f":{"per_move_ms":["i",0],"total_ms":["i",0],"increment_ms":["i",0]}},"Dot":{"p":[["s"],["n"],["n"]]},"GameInfo":{"f":{"name":["s"],"title":["s"],"summary":["s"],"help":["s"],"score_names":[{"l":"s"},[]],"options":[{"l":"Option"},[]],"presets":[{"l":"Preset"},[]],"computer":["b",false],"clock":["ClockRule",{"per_move_ms":0,"total_ms":0,"increment_ms":0}]}},"LastMove":{"f":{"seat":["i"],"move":["s"],"automatic":["b",false]}},"LegalChange":{"p":[[{"l":"s"},[]],[{"l":"s"},[]],[{"e":["last","none","turn"]},"last"]]},"Line":{"p":[["s"],["n"],["n"],["n"],["n"],["s",""],["s",""]]},"Mark":{"p":[[{"o":["i"],"n":1}],[{"e":["line","box","man","king","stone","won"]}]]},"MatchSummary":{"f":{"match":["s"],"game":["s"],"options":[{"m":{"o":["i","s","b"]}}],"status":[{"e":["ended","playing","waiting"]}],"names":[{"t":[{"o":["s"],"n":1},{"o":["s"],"n":1}]}],"created_ms":["i"],"clock_rule":["ClockRule",{"per_move_ms":0,"total_ms":0,"increment_ms":0}],"styles":[{"o":[{"t":["SeatStyle","SeatStyle"]}],"n":1},null],"spectators":["i",0],"delay_plies":["i",0]}},"OfferInfo":{"f":{"kind":[{"e":["draw","rematch","restart","revert","takeback"]}],"seat":["i"],"version":["i",0]}},"Option":{"f":{"name":["s"],"label":["s"],"default":[{"o":["i","s","b"]}],"choices":[{"l":"s"},[]],"low":["i",0],"high":["i",0]}},"PauseInfo":{"f":{"seat":["i"],"until_ms":["i"]}},"Preset":{"f":{"label":["s"],"options":[{"m":{"o":["i","s","b"]}}]}},"Region":{"p":[["s"],["n"],["n"],["n"],["n"],[{"l":"s"},[]],["s",""]]},"Result":{"f":{"winner":[{"o":["i"],"n":1}],"reason":["s"],"text":["s"],"stats":[{"t":["SeatStats","SeatStats"]},[{"moves":0,"average_ms":0},{"moves":0,"average_ms":0}]]}},"SeatInfo":{"f":{"style":["SeatStyle"],"name":[{"o":["s"],"n":1},null],"here":["b",false]}},"SeatStats":{"f":{"moves":["i"],"average_ms":["i"]}},"SeatStyle":{"f":{"name":["s"],"colour":["s"],"symbol":["s"]}}};

export const LIMITS = Object.freeze({
  "PROTOCOL_VERSION": 1,
  "SUBPROTOCOL_MSGPACK": "parlour.v1.msgpack",
  "SUBPROTOCOL_JSON": "parlour.v1.json",
  "MAX_COMMAND_BYTES": 16384,
  "MAX_NOTIFICATION_BYTES": 262144,
  "MAX_DEPTH": 6,
  "MAX_ITEMS": 2048,
  "MAX_REF": 40,
  "MAX_ID": 40,
  "MAX_MOVE": 120,
  "MAX_MOVES": 2000,
  "MAX_CLOCK_MS": 86400000,
  "MAX_GRACE_S": 300,
  "MAX_NAME_INPUT": 200,
  "MAX_DELAY": 20,
  "MAX_CHAT": 200,
  "MAX_TOKEN": 64,
  "MAX_KEY": 24,
  "MAX_OPTIONS": 16,
  "MAX_LANGUAGE": 16,
  "MAX_VERSION": 9007199254740991,
  "CATCH_UP_EVENTS": 20,
  "LOBBY_ROWS": 500,
  "LOBBY_NAMES": 100,
  "MAX_BOARD": 100,
  "MAX_ELEMENTS": 4096,
  "MAX_LEGAL": 4096,
  "MAX_SCORES": 8,
  "MAX_COUNT": 1000000000,
  "MAX_TIME_MS": 253402300799999,
  "MAX_WORDS": 2000,
  "MAX_HELP": 20000,
  "MAX_GAMES": 200,
  "MAX_CHOICES": 1000,
  "MAX_ACTIONS": 64,
  "MAX_LINES": 500
});

# Stops the server in the folder $1 and removes the folder, once nobody holds our standard input any more.
folder=$1
tries_max=100

# Sets `pid` if the server runs. The number may be a dead server's that somebody else has by now.
running() {
    pid=$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null) || return 1
    case $(ps -ww -o stat= -o args= -p "$pid" 2>/dev/null) in
        Z*) return 1 ;;
        *"$folder"*) return 0 ;;
        *) return 1 ;;
    esac
}

cat >/dev/null
running && kill -QUIT "$pid"
tries=0
while running; do
    tries=$((tries + 1))
    if [ "$tries" -gt "$tries_max" ]; then
        kill -KILL "$pid"
        break
    fi
    sleep 0.05
done
rm -rf "$folder"
